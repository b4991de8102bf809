"""The tables of the CloudFormation template, of the shell script and of `create_table` are the same on moto."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import boto3

expected, root = Path(sys.argv[1]), Path(sys.argv[2])
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    PORT = free.getsockname()[1]
ENDPOINT = f"http://127.0.0.1:{PORT}"
TABLES = ("library-test", "loans", "odd-test")
os.environ |= {
    "AWS_ACCESS_KEY_ID": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ENDPOINT_URL": ENDPOINT,
    "AWS_EC2_METADATA_DISABLED": "true",
}


def reset():
    urllib.request.urlopen(urllib.request.Request(f"{ENDPOINT}/moto-api/reset", method="POST"))


def facts():
    """What DescribeTable and its like say, without what differs from table to table."""
    client = boto3.client("dynamodb")
    found = {}
    for name in TABLES:
        table = client.describe_table(TableName=name)["Table"]
        for volatile in ("CreationDateTime", "TableId", "TableArn", "LatestStreamArn", "LatestStreamLabel"):
            table.pop(volatile, None)
        table.get("SSEDescription", {}).pop("KMSMasterKeyArn", None)
        table["AttributeDefinitions"].sort(key=lambda attribute: attribute["AttributeName"])
        arn = client.describe_table(TableName=name)["Table"]["TableArn"]
        found[name] = {
            "table": table,
            "ttl": client.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
            "tags": sorted(client.list_tags_of_resource(ResourceArn=arn).get("Tags", []), key=lambda tag: tag["Key"]),
            "recovery": client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"][
                "PointInTimeRecoveryDescription"
            ]["PointInTimeRecoveryStatus"],
        }
    return json.loads(json.dumps(found, default=str, sort_keys=True))


def by_cloudformation(file):
    boto3.client("cloudformation").create_stack(
        StackName="tables",
        TemplateBody=(expected / file).read_text(),
        Parameters=[{"ParameterKey": "Stage", "ParameterValue": "test"}],
    )


def by_script():
    subprocess.run(["bash", expected / "create-tables.sh"], check=True, env=os.environ | {"STAGE": "test"})


def by_create_table():
    command = ["cargo", "test", "--locked", "--quiet", "--workspace", "--test", "main", "schema::served", "--", "--ignored"]
    environment = os.environ | {"DYNA_ENDPOINT": ENDPOINT}
    subprocess.run(command, check=True, cwd=root, env=environment, stdout=subprocess.DEVNULL)


def differences(path, a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted(set(a) | set(b)):
            yield from differences(f"{path}.{name}", a.get(name), b.get(name))
    elif a != b:
        yield f"{path}: {a} and {b}"


# What moto does otherwise with a template than with a request; not what the template says.
KNOWN = json.loads((Path(__file__).parent / "moto.json").read_text())

server = subprocess.Popen(
    ["moto_server", "--host", "127.0.0.1", "--port", str(PORT)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
)
try:
    for _ in range(300):
        try:
            reset()
            break
        except OSError:
            time.sleep(0.2)
    by_create_table()
    reference = facts()
    failed = False
    for name, create in (
        ("the script", by_script),
        ("tables.yaml", lambda: by_cloudformation("tables.yaml")),
        ("tables.json", lambda: by_cloudformation("tables.json")),
    ):
        reset()
        create()
        found = set(differences("", reference, facts()))
        known = set(KNOWN.get(name, []))
        for line in sorted(found - known):
            print(f"create_table and {name} differ: {line}")
        for line in sorted(known - found):
            print(f"a deviation of moto is gone, remove it from moto.json: {name}: {line}")
        failed |= found != known
        print(f"{name}: {len(TABLES)} tables, {len(known)} known deviations of moto")
finally:
    server.terminate()
    server.wait()
sys.exit(failed)
