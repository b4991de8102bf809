variable "stage" {
  type        = string
  description = "The value of {stage} in the names of tables"
}

resource "aws_dynamodb_table" "library" {
  name                        = "library-${var.stage}"
  billing_mode                = "PROVISIONED"
  read_capacity               = 4
  write_capacity              = 3
  hash_key                    = "pk"
  range_key                   = "no"
  stream_enabled              = true
  stream_view_type            = "KEYS_ONLY"
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  deletion_protection_enabled = true

  attribute {
    name = "hall"
    type = "S"
  }

  attribute {
    name = "no"
    type = "N"
  }

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "place"
    type = "S"
  }

  attribute {
    name = "row"
    type = "N"
  }

  attribute {
    name = "shelf"
    type = "S"
  }

  attribute {
    name = "title"
    type = "S"
  }

  attribute {
    name = "year"
    type = "N"
  }

  global_secondary_index {
    name            = "title-index"
    hash_key        = "title"
    projection_type = "KEYS_ONLY"
    read_capacity   = 4
    write_capacity  = 3
  }

  global_secondary_index {
    name               = "by_shelf"
    projection_type    = "INCLUDE"
    non_key_attributes = ["title", "kind"]
    read_capacity      = 2
    write_capacity     = 1

    key_schema {
      attribute_name = "hall"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "shelf"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "row"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "place"
      key_type       = "RANGE"
    }
  }

  local_secondary_index {
    name            = "by_year"
    range_key       = "year"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "goneAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }

  tags = {
    "team"        = "books"
    "cost-center" = "42"
  }
}

resource "aws_dynamodb_table" "loan" {
  name                        = "loans"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "pk"
  range_key                   = "sk"
  table_class                 = "STANDARD"
  deletion_protection_enabled = false

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "reader"
    type = "S"
  }

  attribute {
    name = "sk"
    type = "S"
  }

  global_secondary_index {
    name            = "by_reader"
    hash_key        = "reader"
    projection_type = "ALL"
  }
}

resource "aws_dynamodb_table" "odd" {
  name                        = "odd-${var.stage}"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "p|k"
  range_key                   = "s'k"
  table_class                 = "STANDARD"
  deletion_protection_enabled = false

  attribute {
    name = "$${x}"
    type = "S"
  }

  attribute {
    name = "%%{y}"
    type = "S"
  }

  attribute {
    name = "p|k"
    type = "S"
  }

  attribute {
    name = "s'k"
    type = "S"
  }

  global_secondary_index {
    name               = "One.index"
    hash_key           = "$${x}"
    range_key          = "%%{y}"
    projection_type    = "INCLUDE"
    non_key_attributes = ["a|b", "it's", "<i>"]
  }

  ttl {
    attribute_name = "gone  \"at\""
    enabled        = true
  }

  tags = {
    "path:$(id)" = "it's `x` $${y} \"z\" \\"
  }
}
