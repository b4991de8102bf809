// What the programs of the npm libraries share: a client for the engine, a clock that stands still, and what they are asked to do.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { isDeepStrictEqual, inspect } from "node:util";

/** The time at which all items are written, and the one at which they are changed. */
export const WRITTEN = "2026-11-18T03:04:05.678Z";
export const CHANGED = "2026-11-18T09:10:11.120Z";

let now;

/** Stops the clock: `new Date()` and `Date.now()` are this time. */
export function stopClock(time) {
    now = new RealDate(time).getTime();
}

const RealDate = Date;
globalThis.Date = class Date extends RealDate {
    constructor(...args) {
        args.length === 0 && now !== undefined ? super(now) : super(...args);
    }
    static now() {
        return now ?? RealDate.now();
    }
};

/**
 * The command line: `write URL TABLE..` writes the items into each table; `change URL TABLE` changes them as the Dyna program does;
 * `read URL TABLE OTHER` reads all that the library can read of the two tables, which is to be the same.
 */
export async function main({ write, change, read }) {
    const [command, endpoint, ...tables] = process.argv.slice(2);
    const client = new DynamoDBClient({
        endpoint,
        region: "us-east-1",
        credentials: { accessKeyId: "example", secretAccessKey: "example" },
    });
    switch (command) {
        case "write":
            stopClock(WRITTEN);
            for (const table of tables) await write(client, table);
            break;
        case "change":
            stopClock(CHANGED);
            for (const table of tables) await change(client, table);
            break;
        case "read": {
            stopClock(CHANGED);
            const [ours, theirs] = [await read(client, tables[0]), await read(client, tables[1])];
            let different = 0;
            for (const [name, items] of Object.entries(theirs)) {
                if (items.length === 0) throw new Error(`${name}: nothing was read`);
                if (!isDeepStrictEqual(ours[name], items)) {
                    different += 1;
                    console.error(`${name}: of Dyna ${inspect(ours[name], { depth: 9 })}, of the library ${inspect(items, { depth: 9 })}`);
                }
            }
            const total = Object.values(theirs).flat().length;
            console.log(`the library reads ${total} items by ${Object.keys(theirs).length} requests, ${different} of them with a difference`);
            process.exitCode = different === 0 ? 0 : 1;
            break;
        }
        default:
            throw new Error(`unknown command ${command}`);
    }
}
