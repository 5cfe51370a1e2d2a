import type { Passkey } from '../../../core/passkeys/index.ts'
import type { Column } from './table.ts'

/** Columns of the passkey table. */
export const PASSKEY_COLUMNS: readonly Column<Passkey>[] = [
  { title: 'kind', text: ({ deviceType }) => deviceType },
  { title: 'registered', text: ({ registeredAt }) => registeredAt.toISOString() },
  { title: 'last used', text: ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? 'never' },
  { title: 'id', text: ({ credentialId }) => credentialId.toString('base64') },
]
