import { JsonSizeCheck } from '../platform/json/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import {
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleGroup,
  type RuleCondition,
  type RuleOperator,
  type RuleNode,
} from './rule-tree.ts'
import { isValidRuleValue } from './rule-value.ts'

const MAX_LEVELS = 32
const MAX_NODES = 1000
/** UTF-8 bytes of the tree as JSON; a list returns the rules of up to a hundred playlists. */
const MAX_BYTES = 64 * 1024
/** The maximum length of such a tree as JSON text, which may be indented and have escaped characters. */
const MAX_CHARACTERS = 3 * MAX_BYTES

type NodeCounter = { nodes: number }

/**
 * Parses a rule tree: JSON text, or a parsed value. Unknown keys are dropped.
 * @throws AppError `invalid_rules` with the `path` of the wrong node, as `rules[0].rules[2].value`
 */
export function parseStoredRules(given: unknown): RuleNode {
  return readNode(typeof given === 'string' ? parseJson(given) : given, { path: '', level: 1 }, { nodes: 0 })
}

/**
 * Like `parseStoredRules` for values of a request, with a limit of the size.
 * @throws AppError `invalid_rules`
 */
export function parseUntrustedRules(given: unknown): RuleNode {
  if (typeof given === 'string') checkSize(given)
  const rules = parseStoredRules(given)
  if (Buffer.byteLength(JSON.stringify(rules)) > MAX_BYTES) throw tooLarge()
  return rules
}

/** JSON.parse of text that consists of brackets takes 30 times its length in memory. */
function checkSize(text: string): void {
  if (text.length > MAX_CHARACTERS) throw tooLarge()
  if (!new JsonSizeCheck().accepts(Buffer.from(text))) throw invalidRules('', 'has too many levels or values')
}

function tooLarge(): Error {
  return invalidRules('', `is larger than ${MAX_BYTES} bytes`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw invalidRules('', 'is no JSON', error)
  }
}

type NodeLocation = { path: string; level: number }

function readNode(value: unknown, place: NodeLocation, counter: NodeCounter): RuleNode {
  counter.nodes += 1
  if (counter.nodes > MAX_NODES) throw invalidRules(place.path, `is more than the ${MAX_NODES}th node`)
  if (place.level > MAX_LEVELS) throw invalidRules(place.path, `is deeper than ${MAX_LEVELS} levels`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRules(place.path, 'must be {logic, rules} or {field, op, value}')
  }
  const node = value as Record<string, unknown>
  return Object.hasOwn(node, 'logic') ? readGroup(node, place, counter) : readLeaf(node, place)
}

function readGroup(
  { logic, rules }: Record<string, unknown>,
  { path, level }: NodeLocation,
  counter: NodeCounter,
): RuleGroup {
  if (logic !== 'and' && logic !== 'or' && logic !== 'not') {
    throw invalidRules(join(path, 'logic'), 'must be and, or, not')
  }
  if (!Array.isArray(rules)) throw invalidRules(join(path, 'rules'), 'must be a list of nodes')
  if (logic === 'not' && rules.length !== 1) throw invalidRules(join(path, 'rules'), 'must hold exactly one node')
  const read: RuleNode[] = []
  for (const [index, rule] of (rules as unknown[]).entries()) {
    read.push(readNode(rule, { path: `${join(path, 'rules')}[${index}]`, level: level + 1 }, counter))
  }
  return { logic, rules: read }
}

function readLeaf(node: Record<string, unknown>, { path }: NodeLocation): RuleCondition {
  const { field, op, value } = node
  if (!isField(field)) throw invalidRules(join(path, 'field'), `must be one of ${Object.keys(RULE_FIELDS).join(', ')}`)
  if (!isOperator(op)) throw invalidRules(join(path, 'op'), `must be one of ${RULE_OPERATORS.join(', ')}`)
  const checked = isValidRuleValue({ kind: RULE_FIELDS[field], op, value })
  if ('problem' in checked) throw invalidRules(join(path, checked.at), checked.problem)
  return { field, op, value: checked.value }
}

function isField(value: unknown): value is RuleField {
  return typeof value === 'string' && Object.hasOwn(RULE_FIELDS, value)
}

function isOperator(value: unknown): value is RuleOperator {
  return RULE_OPERATORS.some((op) => op === value)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function invalidRules(path: string, problem: string, cause?: unknown): Error {
  return smartPlaylistErrors.invalid_rules({
    message: path === '' ? `rules_json ${problem}` : `${path} ${problem}`,
    details: { field: 'rules_json', path },
    cause,
  })
}
