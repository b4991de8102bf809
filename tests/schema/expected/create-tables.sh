#!/usr/bin/env bash
# Creates the tables that are not there yet. Needs the AWS CLI, which takes its endpoint from AWS_ENDPOINT_URL.
set -euo pipefail

: "${STAGE:?is the variable stage in the names of tables}"

exists() { aws dynamodb describe-table --table-name "$1" >/dev/null 2>&1; }
create() { aws dynamodb create-table --table-name "$1" --cli-input-json "$(cat)" >/dev/null; }

table="library-${STAGE}"
if exists "$table"; then
  echo "$table is there already"
else
  create "$table" <<'JSON'
{
  "BillingMode": "PROVISIONED",
  "ProvisionedThroughput": {
    "ReadCapacityUnits": 4,
    "WriteCapacityUnits": 3
  },
  "AttributeDefinitions": [
    {
      "AttributeName": "hall",
      "AttributeType": "S"
    },
    {
      "AttributeName": "no",
      "AttributeType": "N"
    },
    {
      "AttributeName": "pk",
      "AttributeType": "S"
    },
    {
      "AttributeName": "place",
      "AttributeType": "S"
    },
    {
      "AttributeName": "row",
      "AttributeType": "N"
    },
    {
      "AttributeName": "shelf",
      "AttributeType": "S"
    },
    {
      "AttributeName": "title",
      "AttributeType": "S"
    },
    {
      "AttributeName": "year",
      "AttributeType": "N"
    }
  ],
  "KeySchema": [
    {
      "AttributeName": "pk",
      "KeyType": "HASH"
    },
    {
      "AttributeName": "no",
      "KeyType": "RANGE"
    }
  ],
  "GlobalSecondaryIndexes": [
    {
      "IndexName": "title-index",
      "KeySchema": [
        {
          "AttributeName": "title",
          "KeyType": "HASH"
        }
      ],
      "Projection": {
        "ProjectionType": "KEYS_ONLY"
      },
      "ProvisionedThroughput": {
        "ReadCapacityUnits": 4,
        "WriteCapacityUnits": 3
      }
    },
    {
      "IndexName": "by_shelf",
      "KeySchema": [
        {
          "AttributeName": "hall",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "shelf",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "row",
          "KeyType": "RANGE"
        },
        {
          "AttributeName": "place",
          "KeyType": "RANGE"
        }
      ],
      "Projection": {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": [
          "title",
          "kind"
        ]
      },
      "ProvisionedThroughput": {
        "ReadCapacityUnits": 2,
        "WriteCapacityUnits": 1
      }
    }
  ],
  "LocalSecondaryIndexes": [
    {
      "IndexName": "by_year",
      "KeySchema": [
        {
          "AttributeName": "pk",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "year",
          "KeyType": "RANGE"
        }
      ],
      "Projection": {
        "ProjectionType": "ALL"
      }
    }
  ],
  "StreamSpecification": {
    "StreamEnabled": true,
    "StreamViewType": "KEYS_ONLY"
  },
  "SSESpecification": {
    "Enabled": true,
    "SSEType": "KMS"
  },
  "TableClass": "STANDARD_INFREQUENT_ACCESS",
  "DeletionProtectionEnabled": true,
  "Tags": [
    {
      "Key": "team",
      "Value": "books"
    },
    {
      "Key": "cost-center",
      "Value": "42"
    }
  ]
}
JSON
  aws dynamodb wait table-exists --table-name "$table"
  aws dynamodb update-time-to-live --table-name "$table" --time-to-live-specification '{"Enabled": true, "AttributeName": "goneAt"}' >/dev/null
  aws dynamodb update-continuous-backups --table-name "$table" --point-in-time-recovery-specification '{"PointInTimeRecoveryEnabled": true}' >/dev/null
  echo "$table is created"
fi

table="loans"
if exists "$table"; then
  echo "$table is there already"
else
  create "$table" <<'JSON'
{
  "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [
    {
      "AttributeName": "pk",
      "AttributeType": "S"
    },
    {
      "AttributeName": "reader",
      "AttributeType": "S"
    },
    {
      "AttributeName": "sk",
      "AttributeType": "S"
    }
  ],
  "KeySchema": [
    {
      "AttributeName": "pk",
      "KeyType": "HASH"
    },
    {
      "AttributeName": "sk",
      "KeyType": "RANGE"
    }
  ],
  "GlobalSecondaryIndexes": [
    {
      "IndexName": "by_reader",
      "KeySchema": [
        {
          "AttributeName": "reader",
          "KeyType": "HASH"
        }
      ],
      "Projection": {
        "ProjectionType": "ALL"
      }
    }
  ],
  "TableClass": "STANDARD",
  "DeletionProtectionEnabled": false
}
JSON
  aws dynamodb wait table-exists --table-name "$table"
  echo "$table is created"
fi

table="odd-${STAGE}"
if exists "$table"; then
  echo "$table is there already"
else
  create "$table" <<'JSON'
{
  "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [
    {
      "AttributeName": "${x}",
      "AttributeType": "S"
    },
    {
      "AttributeName": "%{y}",
      "AttributeType": "S"
    },
    {
      "AttributeName": "p|k",
      "AttributeType": "S"
    },
    {
      "AttributeName": "s'k",
      "AttributeType": "S"
    }
  ],
  "KeySchema": [
    {
      "AttributeName": "p|k",
      "KeyType": "HASH"
    },
    {
      "AttributeName": "s'k",
      "KeyType": "RANGE"
    }
  ],
  "GlobalSecondaryIndexes": [
    {
      "IndexName": "One.index",
      "KeySchema": [
        {
          "AttributeName": "${x}",
          "KeyType": "HASH"
        },
        {
          "AttributeName": "%{y}",
          "KeyType": "RANGE"
        }
      ],
      "Projection": {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": [
          "a|b",
          "it's",
          "<i>"
        ]
      }
    }
  ],
  "TableClass": "STANDARD",
  "DeletionProtectionEnabled": false,
  "Tags": [
    {
      "Key": "path:$(id)",
      "Value": "it's `x` ${y} \"z\" \\"
    }
  ]
}
JSON
  aws dynamodb wait table-exists --table-name "$table"
  aws dynamodb update-time-to-live --table-name "$table" --time-to-live-specification '{"Enabled": true, "AttributeName": "gone  \"at\""}' >/dev/null
  echo "$table is created"
fi
