/** Names that consist of brackets, as written by East Asian release groups: `[Group][標題][Title][11][720p]`. */
const GROUPS = /[[【]([^[\]【】]{1,120})[\]】]/gu
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const BRACKETED = /^ *[[【][^[\]【】]{1,120}[\]】][^[\]【】]{0,40}(?:[[【][^[\]【】]{1,120}[\]】] ?){3}/u
/** `[Group][Title][01]`: fewer brackets, of which the third is the number. */
const NUMBERED =
  /^ *[[【][^[\]【】]{1,120}[\]】] ?[[【][^[\]【】]{1,120}[\]】] ?[[【]\d{1,4}(?: ?v\d)?(?: ?(?:end|fin|完))?[\]】]/iu

/** The position after the first bracket, which is the group, if the whole name consists of brackets; undefined for other names. */
export function findBracketedNameStart(text: string): number | undefined {
  return BRACKETED.test(text) || NUMBERED.test(text) ? text.search(/[\]】]/u) + 1 : undefined
}

/**
 * The title among the brackets before the episode number, or undefined if there is text outside of brackets. Among several titles the
 * first in Latin letters is used, as in catalogues; years and notes between stars are skipped.
 */
export function bracketedTitle(region: string): string | undefined {
  const outside = region.replaceAll(GROUPS, ' ').replaceAll(/★[^★]{1,20}★?/gu, ' ')
  const titles = [...region.matchAll(GROUPS)]
    .map((match) => match[1] ?? '')
    .filter((title) => !/^\d{4}$/.test(title.trim()))
  if (titles.length === 0 || /[\p{L}\p{N}]/u.test(outside)) return undefined
  const isLatin = (title: string): boolean => /\p{Script=Latin}{2}/u.test(title)
  const best =
    titles.find((title) => isLatin(title) && !EAST_ASIAN.test(title)) ?? titles.find(isLatin) ?? titles.at(-1) ?? ''
  return latinPart(best).replaceAll(/[._]/g, ' ').trim()
}

/** `天使降臨到我身邊！_Title` and `TITLE 海賊王`: the words in Latin letters of a mixed title. */
function latinPart(title: string): string {
  if (!EAST_ASIAN.test(title)) return title
  const parts = title
    .split(/[^\p{Script=Latin}\p{N}\p{P}\p{Z}\p{S}\p{M}]+|[_/·！]/u)
    .filter((part) => /\p{Script=Latin}{2}/u.test(part))
  return parts.toSorted((one, other) => other.length - one.length)[0] ?? title
}
