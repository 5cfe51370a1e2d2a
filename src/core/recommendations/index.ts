export { dismissRecommendation, recommendItems, type Recommendation } from './recommend-items.ts'
