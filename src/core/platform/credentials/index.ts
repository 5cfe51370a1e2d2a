export {
  checkAccountChanges,
  checkAccountInput,
  isPasswordSized,
  isPossibleAccountName,
  passwordProblem,
  sanitizeNameForLog,
  type AccountInput,
  type CheckedAccount,
  type FieldProblems,
} from './account-input.ts'
export { generatePassword, hashPassword, verifyPassword } from './password.ts'
export { createPasswordHashing, type HashingCost, type PasswordHashing } from './password-hashing.ts'
export { createHashingQueue, type HashingQueue } from './hashing-queue.ts'
