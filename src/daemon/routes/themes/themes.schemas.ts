import { Type } from 'typebox'
import { FreeObject } from '../../http/schemas.ts'

export const ThemeList = Type.Object({ themes: Type.Array(FreeObject) })
