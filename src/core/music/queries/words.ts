import { sql, type FragmentSqlToken } from 'slonik'

/** Whether a folded text contains all words, wherever in it. The words are no patterns. */
export function containsWords(text: FragmentSqlToken, words: readonly string[]): FragmentSqlToken {
  const conditions = words.map((word) => sql.fragment`strpos(${text}, case_fold(${word}) collate "C") > 0`)
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`
}
