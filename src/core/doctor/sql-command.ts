import { shellQuote } from './shell-quote.ts'

/** A shell command that runs one statement. The password is not in it: psql prompts for it, or reads it from PGPASSWORD. */
export function sqlCommand(connectionUri: string, statement: string): string {
  const uri = connectionUri.replace(/^(postgresql:\/\/[^:@/]*):[^@/]*@/, '$1@')
  return `psql ${shellQuote(uri)} -c ${shellQuote(statement)}`
}
