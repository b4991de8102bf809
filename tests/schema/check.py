"""Terraform by an HCL parser, Workbench models by the structure of published ones, Markdown by a renderer."""

import json
import re
import subprocess
import sys
from pathlib import Path

import hcl2
from markdown_it import MarkdownIt

SCALAR = {"S", "N", "B"}
ANY = SCALAR | {"SS", "NS", "BS", "BOOL", "NULL", "L", "M"}


def text(value):
    """What an HCL string says: the parser keeps its quotes."""
    return value[1:-1] if isinstance(value, str) and value.startswith('"') else value


def terraform(directory, template):
    with open(directory / "tables.tf") as file:
        parsed = hcl2.load(file)
    tables = []
    for resource in parsed["resource"]:
        for kind, labels in resource.items():
            assert text(kind) == "aws_dynamodb_table", kind
            tables += [block for label, block in labels.items() if not label.startswith("__")]
    resources = template["Resources"].values()
    assert len(tables) == len(resources)
    for table, resource in zip(tables, resources):
        expected = resource["Properties"]
        key = [text(table[name]) for name in ("hash_key", "range_key") if name in table]
        assert key == [element["AttributeName"] for element in expected["KeySchema"]], key
        attributes = [(text(a["name"]), text(a["type"])) for a in table["attribute"]]
        assert attributes == [(a["AttributeName"], a["AttributeType"]) for a in expected["AttributeDefinitions"]]
        assert text(table["billing_mode"]) == expected["BillingMode"]
        assert text(table["table_class"]) == expected["TableClass"]
        assert table["deletion_protection_enabled"] == expected["DeletionProtectionEnabled"]
        for block, name in (("global_secondary_index", "GlobalSecondaryIndexes"), ("local_secondary_index", "LocalSecondaryIndexes")):
            indexes = table.get(block, [])
            assert [text(index["name"]) for index in indexes] == [i["IndexName"] for i in expected.get(name, [])]
            for index, other in zip(indexes, expected.get(name, [])):
                keys = [text(k["attribute_name"]) for k in index.get("key_schema", [])]
                keys = keys or [text(index[n]) for n in ("hash_key", "range_key") if n in index]
                wanted = [element["AttributeName"] for element in other["KeySchema"]]
                assert keys == (wanted if block.startswith("global") else wanted[1:]), keys
                assert text(index["projection_type"]) == other["Projection"]["ProjectionType"]
        if "TimeToLiveSpecification" in expected:
            assert text(table["ttl"][0]["attribute_name"]) == expected["TimeToLiveSpecification"]["AttributeName"]


def keys(found, required, optional=()):
    assert set(required) <= set(found) <= set(required) | set(optional), sorted(found)


def typed(attribute, kinds):
    keys(attribute, {"AttributeName", "AttributeType"})
    assert attribute["AttributeType"] in kinds


def key_attributes(key):
    keys(key, {"PartitionKey"}, {"SortKey"})
    for attribute in key.values():
        typed(attribute, SCALAR)


def workbench(directory):
    """The members of published models of version 3.0, and what must hold between them."""
    model = json.loads((directory / "model.json").read_text())
    keys(model, {"ModelName", "ModelMetadata", "DataModel"})
    keys(model["ModelMetadata"], {"Author", "DateCreated", "DateLastModified", "Description", "AWSService", "Version"})
    assert re.fullmatch(r"[A-Z][a-z]{2} \d\d, \d{4}, \d\d:\d\d [AP]M", model["ModelMetadata"]["DateCreated"])
    for table in model["DataModel"]:
        keys(
            table,
            {"TableName", "KeyAttributes", "NonKeyAttributes", "TableFacets", "GlobalSecondaryIndexes", "TableData", "DataAccess", "BillingMode"},
            {"SampleDataFormats", "ProvisionedCapacitySettings"},
        )
        assert re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", table["TableName"])
        assert table["BillingMode"] in {"PROVISIONED", "PAY_PER_REQUEST"}
        assert ("ProvisionedCapacitySettings" in table) == (table["BillingMode"] == "PROVISIONED")
        key_attributes(table["KeyAttributes"])
        for attribute in table["NonKeyAttributes"]:
            typed(attribute, ANY)
        primary = {a["AttributeName"]: a["AttributeType"] for a in table["KeyAttributes"].values()}
        declared = {a["AttributeName"]: a["AttributeType"] for a in table["NonKeyAttributes"]} | primary
        for index in table["GlobalSecondaryIndexes"]:
            keys(index, {"IndexName", "KeyAttributes", "Projection"})
            key_attributes(index["KeyAttributes"])
            for attribute in index["KeyAttributes"].values():
                assert declared[attribute["AttributeName"]] == attribute["AttributeType"]
        for facet in table["TableFacets"]:
            keys(facet, {"FacetName", "KeyAttributeAlias", "TableData", "NonKeyAttributes", "DataAccess"})
            keys(facet["KeyAttributeAlias"], {"PartitionKeyAlias"}, {"SortKeyAlias"})
            assert set(facet["NonKeyAttributes"]) <= set(declared)
        assert table["TableData"], "a model has sample items"
        seen = set()
        for item in table["TableData"]:
            for name, value in item.items():
                assert len(value) == 1 and set(value) <= ANY and name in declared, name
            for name, kind in primary.items():
                assert set(item[name]) == {kind}
            seen.add(json.dumps([item[name] for name in primary]))
        assert len(seen) == len(table["TableData"]), "no two items have the same key"


def markdown(directory):
    source = (directory / "reference.md").read_text()
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    widths = {}
    for at, token in enumerate(tokens):
        assert token.type != "html_block", token.content
        if token.type == "tr_open":
            width = sum(t.type in ("td_open", "th_open") for t in tokens[at : at + next(
                n for n, t in enumerate(tokens[at:]) if t.type == "tr_close")])
            table = max(n for n, t in enumerate(tokens[:at]) if t.type == "table_open")
            assert widths.setdefault(table, width) == width, "every row has the cells of its head"
        if token.type == "fence":
            json.loads(token.content)
    lines = [line for line in source.splitlines() if line.startswith("|")]
    rows = sum(token.type == "tr_open" for token in tokens)
    assert rows == sum(not re.fullmatch(r"\|(---\|)+", line) for line in lines), "every line of a table is a row"


def yaml_is_json(directory, template):
    """The two texts of CloudFormation say the same."""
    import yaml

    assert yaml.safe_load((directory / "tables.yaml").read_text()) == template


def script(directory):
    source = (directory / "create-tables.sh").read_text()
    requests = re.findall(r"<<'JSON'\n(.*?)\nJSON\n", source, re.S)
    assert requests and all(json.loads(request)["KeySchema"] for request in requests)
    subprocess.run(["bash", "-n", directory / "create-tables.sh"], check=True)


for directory in map(Path, sys.argv[1:]):
    template = json.loads((directory / "tables.json").read_text())
    yaml_is_json(directory, template)
    terraform(directory, template)
    workbench(directory)
    markdown(directory)
    script(directory)
    print(f"{directory.name}: as it should be")
