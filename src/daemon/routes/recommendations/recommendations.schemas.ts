import { Type } from 'typebox'
import { SuggestedItem } from '../media/item-subresource.schemas.ts'

export const RecommendedItem = Type.Object({ ...SuggestedItem.properties, computedAt: Type.String() })

export const Recommendations = Type.Object({ recommendations: Type.Array(RecommendedItem) })
