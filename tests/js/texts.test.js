import assert from "node:assert/strict";
import test from "node:test";
import { t, tc } from "../../service/http/web/static/js/core/texts.js";

test("a text without a catalogue is English, with its places filled in", () => {
  assert.equal(t("{name} leads {n}", { name: "Bo", n: 3 }), "Bo leads 3");
  assert.equal(tc("finding", "revoke"), "revoke");
});
