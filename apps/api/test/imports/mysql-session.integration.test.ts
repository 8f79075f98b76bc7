import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseAddress } from "../../src/imports/sql/database-address.ts";
import { jsonLines } from "../../src/imports/sql/json-lines.ts";
import { openSession } from "../../src/imports/sql/open-session.ts";
import { proposeQueries } from "../../src/imports/sql/tables/propose-queries.ts";
import { quotes, readTables } from "../../src/imports/sql/tables/read-tables.ts";
import { AddressGuard } from "../../src/requests/address-guard.ts";
import { isMariaDbInstalled, startMariaDb, type TestMariaDb } from "./support/start-mariadb.ts";

const setUp = `
SET NAMES utf8mb4;
CREATE DATABASE shop;
CREATE TABLE shop.items (id BIGINT UNSIGNED, price DECIMAL(12,2), ratio DOUBLE, flag BIT(4), raw VARBINARY(4), made DATETIME, name TEXT CHARACTER SET utf8mb4) ENGINE=InnoDB;
INSERT INTO shop.items VALUES (9007199254740993, 12.50, 0.1, b'101', x'00ff', '2026-01-02 03:04:05', 'é "b"'), (2, NULL, NULL, NULL, NULL, NULL, '');
CREATE USER 'reader'@'%' IDENTIFIED BY 'pass:word';
GRANT ALL ON shop.* TO 'reader'@'%';
CREATE DATABASE trade;
CREATE TABLE trade.people (\`id\` INT PRIMARY KEY, \`na\`\`me\` TEXT, photo BLOB, boss INT, FOREIGN KEY (boss) REFERENCES trade.people (id)) ENGINE=InnoDB;
CREATE TABLE trade.\`order\` (no INT PRIMARY KEY, buyer INT, FOREIGN KEY (buyer) REFERENCES trade.people (id)) ENGINE=InnoDB;
CREATE TABLE trade.likes (a INT, b INT, stars INT, PRIMARY KEY (a, b), FOREIGN KEY (a) REFERENCES trade.people (id), FOREIGN KEY (b) REFERENCES trade.\`order\` (no)) ENGINE=InnoDB;
CREATE TABLE trade.hidden (id INT PRIMARY KEY, owner INT, FOREIGN KEY (owner) REFERENCES trade.people (id)) ENGINE=InnoDB;
CREATE VIEW trade.bosses AS SELECT * FROM trade.people;
INSERT INTO trade.people VALUES (1, 'a', NULL, NULL), (2, 'b', NULL, 1);
CREATE USER 'few'@'%' IDENTIFIED BY 'few';
GRANT SELECT ON trade.people TO 'few'@'%';
GRANT SELECT ON trade.\`order\` TO 'few'@'%';
GRANT SELECT ON trade.likes TO 'few'@'%';
GRANT SELECT ON trade.bosses TO 'few'@'%';
`;
let server: TestMariaDb;
const guard = new AddressGuard(["127.0.0.1"], "HOPWISE_IMPORT_NETWORKS");

beforeAll(async () => {
  if (isMariaDbInstalled) server = await startMariaDb(setUp);
});
afterAll(() => server?.stop());

interface Access {
  readonly secret?: string;
  readonly url?: string;
  readonly querySeconds?: number;
}

async function linesOf(query: string, { secret = "reader:pass:word", url, querySeconds = 60 }: Access = {}) {
  const address = databaseAddress(url ?? `mysql://${server.host}/shop?sslmode=disable`, guard);
  const credential = { kind: "database", hosts: [`${address.host}:${address.port}`], secret } as const;
  const { signal } = new AbortController();
  const session = await openSession({ address, credential, guard, querySeconds, signal });
  let lines = "";
  try {
    for await (const batch of session.batches(query)) lines += jsonLines(batch);
  } finally {
    await session.close();
  }
  return lines;
}

describe.skipIf(!isMariaDbInstalled)("a query on MariaDB", () => {
  it("gives rows with every digit of ids and decimals, bytes as hexadecimal digits, and texts in any language", async () => {
    const lines = await linesOf("SELECT * FROM items ORDER BY name DESC");
    expect(lines.trim().split("\n")).toEqual([
      '{"id":9007199254740993,"price":12.50,"ratio":0.1,"flag":5,"raw":"\\\\x00ff","made":"2026-01-02 03:04:05","name":"é \\"b\\""}',
      '{"id":2,"price":null,"ratio":null,"flag":null,"raw":null,"made":null,"name":""}',
    ]);
  });

  it("gives many rows a piece at a time", async () => {
    const lines = await linesOf("SELECT seq AS id FROM seq_1_to_20000");
    expect(lines).toBe(Array.from({ length: 20_000 }, (_, i) => `{"id":${i + 1}}\n`).join(""));
  });

  it.each([
    ["DELETE FROM items", /READ ONLY/i],
    ["CREATE TABLE other (id INT)", /READ ONLY/i],
    ["SELECT 1 AS id; DELETE FROM items", /syntax/i],
    ["LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE items", /./],
    ["SELECT nothing FROM items", /Unknown column/],
  ])("refuses %s", async (query, said) => {
    await expect(linesOf(query)).rejects.toThrow(said);
    expect((await linesOf("SELECT count(*) AS n FROM items")).trim()).toBe('{"n":2}');
  });

  it("proposes queries of the tables and foreign keys that a user who may only read sees", async () => {
    const address = databaseAddress(`mysql://${server.host}/trade?sslmode=disable`, guard);
    const credential = { kind: "database", hosts: [server.host], secret: "few:few" } as const;
    const tables = await readTables({ address, credential, guard, querySeconds: 60 });
    const { files, leftOut } = proposeQueries(tables, quotes.mysql);
    expect(Object.fromEntries(files.map(({ name, query }) => [name, query]))).toEqual({
      "order.jsonl": "SELECT `no` AS `id` FROM `order`",
      "people.jsonl": "SELECT `id`, `na``me` FROM `people`",
      "order_buyer_people.jsonl":
        "SELECT s.`no` AS `order`, s.`buyer` AS `people` FROM `order` s WHERE s.`buyer` IS NOT NULL",
      "people_boss_people.jsonl":
        "SELECT s.`id` AS `src`, s.`boss` AS `dst` FROM `people` s WHERE s.`boss` IS NOT NULL",
      "people_likes_order.jsonl": "SELECT `a` AS `people`, `b` AS `order`, `stars` FROM `likes`",
    });
    expect(leftOut).toEqual([]);
    const boss = files.find(({ name }) => name === "people_boss_people.jsonl")?.query ?? "";
    const url = `mysql://${server.host}/trade?sslmode=disable`;
    expect(await linesOf(boss, { url, secret: "few:few" })).toBe('{"src":2,"dst":1}\n');
  });

  it("reads only in what follows on the end of its own transaction, too", async () => {
    const address = databaseAddress(`mysql://${server.host}/shop?sslmode=disable`, guard);
    const credential = { kind: "database", hosts: [server.host], secret: "reader:pass:word" } as const;
    const { signal } = new AbortController();
    const session = await openSession({ address, credential, guard, querySeconds: 60, signal });
    for await (const _ of session.batches("COMMIT"));
    await expect(session.batches("DELETE FROM items").next()).rejects.toThrow(/READ ONLY/i);
    await session.close();
  });

  it("says who was not let in, where there is nothing, what takes too long, and what is not encrypted", async () => {
    const refused = { problem: { code: "IMPORT_REFUSED", detail: expect.not.stringMatching(/reader/) } };
    await expect(linesOf("SELECT 1", { secret: "reader:wrong" })).rejects.toMatchObject(refused);
    const nothing = `mysql://${server.host}/nothing?sslmode=disable`;
    await expect(linesOf("SELECT 1", { url: nothing })).rejects.toMatchObject({
      problem: { code: "IMPORT_NOT_FOUND" },
    });
    const slow = linesOf("SELECT sum(a.seq * b.seq) FROM seq_1_to_1000000 a, seq_1_to_1000000 b", { querySeconds: 1 });
    await expect(slow).rejects.toThrow(/max_statement_time|1 s/);
    const encrypted = linesOf("SELECT 1", { url: `mysql://localhost:${server.host.split(":")[1]}/shop` });
    await expect(encrypted).rejects.toMatchObject({ problem: { code: "IMPORT_SOURCE" } });
  });
});

it.each(["postgresql", "mysql"])("a %s whose name means a private address is not connected to", async (engine) => {
  const nothing = new AddressGuard([], "HOPWISE_IMPORT_NETWORKS");
  const address = databaseAddress(`${engine}://localhost:9/shop`, nothing);
  const credential = { kind: "database", hosts: ["localhost:9"], secret: "reader:x" } as const;
  const { signal } = new AbortController();
  const opened = openSession({ address, credential, guard: nothing, querySeconds: 9, signal });
  await expect(opened).rejects.toMatchObject({
    problem: { code: "IMPORT_ADDRESS", detail: expect.stringContaining("127.0.0.1") },
  });
});
