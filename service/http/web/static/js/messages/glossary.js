// @ts-check
/** The terms that a page links to their meaning, by their places on the page about the game. */

import { t } from "../core/texts.js";

export default {
  backhand: t("Backhand"),
  basta: t("Basta"),
  bete: t("Bête"),
  codille: t("Codille"),
  estuches: t("Estuches"),
  forehand: t("Forehand"),
  gascarille: t("Gascarille"),
  manille: t("Manille"),
  matadors: t("Matadors"),
  middlehand: t("Middlehand"),
  nolo: t("Nolo"),
  ponto: t("Ponto"),
  puesta: t("Puesta"),
  sacada: t("Sacada"),
  talon: t("Talon"),
  tourne: t("Tourné"),
  vole: t("Vole"),
};
