/** How the table is seen, in English. */

export default {
  by: "Seen by ", all: "all hands", onlooker: "an onlooker",
  later: "With what was known only later", turn: "Turn the table", shade: "In shade what may not be played",
  motion: "Cards move on their way",
};
