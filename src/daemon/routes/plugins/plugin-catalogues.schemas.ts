import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const Text = Type.String()
const Flag = Type.Boolean()

const Channel = Type.Object({
  channel: Text,
  options: Type.Array(Type.Object({ value: Text, label: Text, description: Text, advanced: Flag })),
})

export const ChannelState = Channel

export const ChannelBody = Type.Object({ channel: Text })

export const CatalogueList = Type.Object({
  default_source: Text,
  sources: Type.Array(Text),
  catalogs: Type.Array(
    Type.Object({
      source: Text,
      name: Text,
      trusted: Flag,
      plugins: Type.Array(
        Type.Object({
          name: Text,
          title: Text,
          type: Text,
          summary: Text,
          description: Text,
          repo: Text,
          author: Text,
          tags: Type.Array(Text),
          installed: Flag,
          enabled: Flag,
          version: Nullable(Text),
          installable: Flag,
          homepage: Nullable(Text),
        }),
      ),
    }),
  ),
  errors: Type.Array(Type.Object({ source: Text, error: Text })),
  channel: Channel,
})

export const SourceBody = Type.Object({ url: Text })

export const SourceQuery = Type.Object({ url: Text })

export const SourceList = Type.Object({ sources: Type.Array(Text) })

/** The domain refuses a missing URL with the error code that clients know. */
export const InstallBody = Type.Object({ url: Type.Optional(Text) })

export const UpdateList = Type.Object({
  auto_update: Flag,
  available: Type.Integer(),
  updates: Type.Array(
    Type.Object({
      name: Text,
      installed_version: Text,
      latest_version: Nullable(Text),
      update_available: Flag,
      repo: Nullable(Text),
      checkable: Flag,
      error: Nullable(Text),
    }),
  ),
})

export const AppliedUpdates = Type.Object({
  updated: Type.Array(Type.Object({ name: Text, from: Text, to: Text, enabled: Flag })),
  failed: Type.Array(Type.Object({ name: Text, error: Text })),
})

export const AutoUpdate = Type.Object({ auto_update: Flag })

export const AutoUpdateBody = Type.Object({ enabled: Flag })
