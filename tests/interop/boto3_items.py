"""A ledger that a program writes with boto3's resources, in the way that Python programs do: f-strings as keys, `Decimal` as numbers.

    boto3_items.py write|change|read URL TABLE..
"""

import sys
from datetime import datetime, timezone
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key

WRITTEN = datetime(2026, 11, 18, 3, 4, 5, 678901, tzinfo=timezone.utc)


def account_key(account_id):
    return {"PK": f"ACCOUNT#{account_id}", "SK": "#META"}


def entry_key(account_id, at, entry_id):
    return {"PK": f"ACCOUNT#{account_id}", "SK": f"ENTRY#{at}#{entry_id}"}


def account(account_id, **rest):
    return {**account_key(account_id), "type": "account", "account_id": account_id, **rest}


def entry(account_id, at, entry_id, amount, **rest):
    index = {"GSI1PK": f"ENTRY#{entry_id}", "GSI1SK": at}
    return {
        **entry_key(account_id, at, entry_id),
        **index,
        "type": "entry",
        "account_id": account_id,
        "at": at,
        "entry_id": entry_id,
        "amount": amount,
        **rest,
    }


def write(table):
    table.put_item(
        Item=account(
            "a1",
            # As `isoformat` writes it: microseconds, and an offset.
            opened=WRITTEN.isoformat(),
            limit=Decimal("1000.50"),
            # None is stored as NULL.
            closed=None,
            owners={"ann", "bob"},
            pins={Decimal(1), Decimal("2.5")},
            blobs={b"\x00\x01"},
            logo=b"\x89PNG",
            settings={"theme": "dark", "limits": [Decimal(1), Decimal("0.1"), None], "empty": {}},
            active=True,
            score=Decimal("1E+3"),
        )
    )
    table.put_item(Item=account("a2", opened=WRITTEN.isoformat(), limit=Decimal(0), closed=None, active=False))
    table.put_item(Item=entry("a1", "2026-11-18T03:04:05Z", "e1", Decimal("-12.34"), memo="rent"))
    table.put_item(Item=entry("a1", "2026-11-18T03:04:06Z", "e2", Decimal("12345678901234567890.12345678")))
    table.put_item(Item=entry("a2", "2026-11-18T03:04:07Z", "e3", Decimal("0.10"), memo="", tags=["x", "y"]))


def change(table):
    table.update_item(
        Key=account_key("a1"),
        UpdateExpression="SET #limit = :limit, settings.theme = :theme REMOVE blobs",
        ExpressionAttributeNames={"#limit": "limit"},
        ExpressionAttributeValues={":limit": Decimal("2000"), ":theme": "light"},
        ConditionExpression=Attr("PK").exists(),
    )
    table.update_item(
        Key=entry_key("a1", "2026-11-18T03:04:05Z", "e1"),
        UpdateExpression="ADD amount :more",
        ExpressionAttributeValues={":more": Decimal("-0.66")},
    )
    table.delete_item(Key=entry_key("a2", "2026-11-18T03:04:07Z", "e3"))
    table.put_item(Item=account("a3", opened=WRITTEN.isoformat(), limit=Decimal("0.5"), closed=None, active=True, owners={"cy"}))
    table.put_item(Item=entry("a3", "2026-11-18T09:10:11Z", "e4", Decimal("5"), memo="gift"))


def read(table):
    ann = table.query(KeyConditionExpression=Key("PK").eq("ACCOUNT#a1"))["Items"]
    entries = Key("PK").eq("ACCOUNT#a1") & Key("SK").begins_with("ENTRY#2026-11-18")
    by_id = table.query(IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("ENTRY#e4"))["Items"]
    scanned = table.scan(FilterExpression=Attr("type").eq("account"))["Items"]
    return {
        "partition": ann,
        "entries of a day": table.query(KeyConditionExpression=entries)["Items"],
        "entry by id": by_id,
        "account": [table.get_item(Key=account_key("a3"))["Item"]],
        "scan": sorted(scanned, key=lambda item: item["PK"]),
    }


def main():
    command, url, *names = sys.argv[1:]
    dynamodb = boto3.resource(
        "dynamodb", endpoint_url=url, region_name="us-east-1", aws_access_key_id="example", aws_secret_access_key="example"
    )
    tables = [dynamodb.Table(name) for name in names]
    if command != "read":
        for table in tables:
            {"write": write, "change": change}[command](table)
        return
    ours, theirs = map(read, tables)
    different = [name for name, items in theirs.items() if not items or ours[name] != items]
    for name in different:
        print(f"{name}: of Dyna {ours[name]}, of the library {theirs[name]}", file=sys.stderr)
    total = sum(map(len, theirs.values()))
    print(f"the library reads {total} items by {len(theirs)} requests, {len(different)} of them with a difference")
    sys.exit(bool(different))


main()
