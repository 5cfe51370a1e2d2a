import { relative } from 'node:path'
import { canonicalKey } from '../../naming/index.ts'
import type { FoundFile, IdentifiedFile, FolderEvent } from '../scan-event.ts'
import type { Scan } from '../scan.ts'

/** Reads what a file is from its name and place. Pure: no file is touched. */
export async function* identify(
  { kind }: Scan,
  events: AsyncIterable<FoundFile | FolderEvent>,
): AsyncGenerator<IdentifiedFile | FolderEvent> {
  for await (const event of events) {
    if (event.kind !== 'file') {
      yield event
      continue
    }
    const identification = kind.identify(relative(event.root, event.path))
    yield {
      ...event,
      identification,
      canonicalKey: canonicalKey(event.name, event.sizeBytes, identification.type),
    }
  }
}
