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
    """What an HCL string says: the parser keeps its quotes and escapes."""
    if not isinstance(value, str) or not value.startswith('"'):
        return value
    return json.loads(value).replace("$${", "${").replace("%%{", "%{")


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
                included = [text(name) for name in index.get("non_key_attributes", [])]
                assert included == other["Projection"].get("NonKeyAttributes", [])
        tags = {text(name): text(value) for name, value in table.get("tags", {}).items()}
        assert tags == {tag["Key"]: tag["Value"] for tag in expected.get("Tags", [])}, tags
        if "TimeToLiveSpecification" in expected:
            assert text(table["ttl"][0]["attribute_name"]) == expected["TimeToLiveSpecification"]["AttributeName"]


# The members of models that AWS publishes, which hold the items of a table in its facets.
PUBLISHED = json.loads((Path(__file__).parent / "workbench.json").read_text())


def members(value, path=""):
    """Every leaf of a model, by its path and kind."""
    if path.endswith(".TableData[]"):
        yield path, "item"
    elif isinstance(value, dict) and value:
        for name, member in value.items():
            yield from members(member, f"{path}.{name}")
    elif isinstance(value, list):
        for member in value:
            yield from members(member, f"{path}[]")
    else:
        kinds = {str: "text", int: "number", dict: "nothing"}
        yield path, kinds[type(value)]


def complete(value, path=""):
    """Each map has what published ones always have."""
    if isinstance(value, list):
        for member in value:
            complete(member, f"{path}[]")
    elif isinstance(value, dict) and not path.endswith(".TableData[]"):
        inside = (known[len(path) + 1 :] for known in PUBLISHED["members"] if known.startswith(f"{path}."))
        for name in {re.split(r"[.\[]", rest)[0] for rest in inside}:
            member = f"{path}.{name}"
            assert name in value or member in PUBLISHED["sometimes"], f"{member} is missing"
        for name, member in value.items():
            complete(member, f"{path}.{name}")


def workbench(directory):
    """A model has the members of published ones, and what must hold between them holds."""
    model = json.loads((directory / "model.json").read_text())
    for path, kind in members(model):
        assert PUBLISHED["members"].get(path) == kind, f"{path}: {kind}"
    complete(model)
    assert re.fullmatch(r"[A-Z][a-z]{2} \d\d, \d{4}, \d\d:\d\d [AP]M", model["ModelMetadata"]["DateCreated"])
    for table in model["DataModel"]:
        assert re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", table["TableName"])
        assert table["BillingMode"] in {"PROVISIONED", "PAY_PER_REQUEST"}
        assert ("ProvisionedCapacitySettings" in table) == (table["BillingMode"] == "PROVISIONED")
        primary = {a["AttributeName"]: a["AttributeType"] for a in table["KeyAttributes"].values()}
        declared = {a["AttributeName"]: a["AttributeType"] for a in table["NonKeyAttributes"]} | primary
        assert len(declared) == len(table["NonKeyAttributes"]) + len(primary), "no attribute is there twice"
        assert set(primary.values()) <= SCALAR and set(declared.values()) <= ANY
        for index in table["GlobalSecondaryIndexes"]:
            for attribute in index["KeyAttributes"].values():
                assert declared[attribute["AttributeName"]] == attribute["AttributeType"] in SCALAR
        seen = set()
        for facet in table["TableFacets"]:
            assert facet["TableData"], f"{facet['FacetName']} has sample items"
            for item in facet["TableData"]:
                for name, value in item.items():
                    assert len(value) == 1 and set(value) <= ANY
                    assert name in primary or name in facet["NonKeyAttributes"], name
                for name, kind in primary.items():
                    assert set(item[name]) == {kind}
                key = json.dumps([item[name] for name in primary])
                assert key not in seen, f"two items have the key {key}"
                seen.add(key)
            assert set(facet["NonKeyAttributes"]) <= set(declared)


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
