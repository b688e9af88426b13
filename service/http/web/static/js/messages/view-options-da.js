/** How the table is seen, in Danish. */

export default {
  by: "Set af ", all: "alle hænder", onlooker: "en tilskuer",
  later: "Med kort, der først blev kendt senere", turn: "Drej bordet", shade: "I skygge det, der ikke må spilles",
  motion: "Kortene bevæger sig",
};
