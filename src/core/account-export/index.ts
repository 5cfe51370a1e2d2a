export { exportAccount } from './export-account.ts'
