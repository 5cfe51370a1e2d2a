import { createHashingQueue, type HashingQueue } from './hashing-queue.ts'

/** Parameters of argon2id: memory in KiB, passes over it, and lanes. */
export type HashingCost = Readonly<{ memoryKibibytes: number; passes: number; parallelism: number }>

/** How a process hashes passwords: at what cost, and how many at a time. */
export type PasswordHashing = Readonly<{ cost: HashingCost; queue: HashingQueue }>

/** OWASP's second recommendation for argon2id (Password Storage Cheat Sheet). */
export const HASHING_COST: HashingCost = { memoryKibibytes: 19_456, passes: 2, parallelism: 1 }

/**
 * Creates the password hashing of a process.
 * @param cost of new hashes; the cost of a stored hash is read from the hash. Tests that do not test hashing use a lower one
 */
export function createPasswordHashing(cost: HashingCost = HASHING_COST): PasswordHashing {
  return Object.freeze({ cost, queue: createHashingQueue() })
}
