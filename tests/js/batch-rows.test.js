import assert from "node:assert/strict";
import test from "node:test";
import { createRow, SlipBatchRows } from "../../service/http/web/static/js/slips/batch-rows.js";

const contracts = ({ rows }) => rows.map((row) => row.cells.contract);

test("there is always exactly one blank row at the end", () => {
  const rows = new SlipBatchRows();
  rows.typeCell(rows.rows[0], "contract", "s");
  assert.deepEqual(contracts(rows), ["s", ""]);
  rows.insertRows(2, [createRow(), createRow()]);
  assert.deepEqual(contracts(rows), ["s", ""]);
});

test("the letters of one cell are one step back, and forth", () => {
  const rows = new SlipBatchRows();
  for (const text of ["s", "so", "solo"]) rows.typeCell(rows.rows[0], "contract", text);
  rows.typeCell(rows.rows[0], "declarer", "Bo");
  assert.equal(rows.undo(), true);
  assert.deepEqual(rows.rows[0].cells.declarer, "");
  rows.undo();
  assert.deepEqual(contracts(rows), [""]);
  assert.equal(rows.undo(), false);
  rows.redo();
  assert.deepEqual(contracts(rows), ["solo", ""]);
});

test("a copy of the row above keeps its own number and paper", () => {
  const rows = new SlipBatchRows([
    createRow({ contract: "solo", number: "3", paper: "1 2" }),
    createRow({ number: "7" }),
  ]);
  rows.copyRowAbove(1);
  const { contract, number, paper } = rows.rows[1].cells;
  assert.deepEqual({ contract, number, paper }, { contract: "solo", number: "7", paper: "" });
});

test("no step leads back to rows that are written down", () => {
  const rows = new SlipBatchRows([createRow({ contract: "solo" }), createRow({ contract: "pass" })]);
  rows.removeRow(1);
  rows.settle([]);
  assert.equal(rows.undo(), false);
  assert.deepEqual(contracts(rows), [""]);
});
