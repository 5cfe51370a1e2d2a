import { Type } from 'typebox'
import { FreeObject, Nullable } from '../../http/schemas.ts'

export const PluginParameters = Type.Object({ name: Type.String() })

const ROW = {
  name: Type.String(),
  version: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String()),
  installed_at: Type.String(),
}

export const PluginList = Type.Object({ plugins: Type.Array(Type.Object(ROW)) })

const Values = FreeObject

export const OnePlugin = Type.Object({
  plugin: Type.Object({
    ...ROW,
    source: Type.String(),
    sha256: Type.String(),
    previous_version: Nullable(Type.String()),
    min_server_version: Type.String(),
    events: Type.Array(Type.String()),
    permissions: Type.Object({
      hosts: Type.Array(Type.String()),
      private_network: Type.Boolean(),
      user_details: Type.Boolean(),
      durable: Type.Boolean(),
    }),
    settings_schema: Values,
    settings: Values,
    secret_status: FreeObject,
    updated_at: Type.String(),
  }),
})

/** The domain validates the values. */
export const SettingsBody = Type.Object({ settings: Values })

export const TestReply = Type.Object({ success: Type.Boolean() })
