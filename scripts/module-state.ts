import { parseSync } from 'oxc-parser'

/**
 * Finds state that lives in a module: a binding of a module's top level that changes after the module was loaded. State belongs to services,
 * which the composition root creates and which signatures show. Constant tables are allowed.
 * The analysis follows no aliases: state that is changed only through another variable is not found.
 */

/** In a page of the browser the module is the program; it has one instance and no composition root. */
const EXEMPT_FOLDER = 'src/daemon/web/'

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** A declaration of a module's top level, with its initial value. */
type Declaration = { name: string; initial: Node | undefined; isReassignable: boolean }

/** Objects of these classes never change, or change only by the methods below. */
const UNCHANGING = /^(?:Map|Set|RegExp|URL|TextDecoder|TextEncoder|Intl\.\w+|[A-Z]\w*Array|Error|Proxy)$/

/** Methods of collections, arrays and buffers that change them. */
const CHANGING_METHODS = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
)

/** Functions that change their first argument. */
const CHANGING_FUNCTIONS =
  /^(?:Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Atomics\.\w+|Reflect\.set)$/

/**
 * The module-level state of source files, as lines of text.
 * @param sources maps paths from the project root to text
 */
export function findModuleState(sources: ReadonlyMap<string, string>): string[] {
  const programs = [...sources]
    .filter(([path]) => !path.startsWith(EXEMPT_FOLDER))
    .map(([path, text]) => ({ path, text, program: parseSync(path, text).program as unknown as Node }))
  const stateful = new Set(programs.flatMap(({ program }) => statefulFactories(program)))
  return programs.flatMap(({ path, text, program }) => {
    const changed = changedNames(program, text)
    const own = declarationsOf(program)
    const found = own
      .map((one) => ({ name: one.name, problem: problemOf(one, { text, stateful, changed }) }))
      .filter(({ problem }) => problem !== undefined)
      .map(({ name, problem }) => `${path}: module-level state: ${name} ${problem}`)
    const imported = importedNames(program).filter((name) => changed.has(name))
    return found.concat(imported.map((name) => `${path}: changes ${name}, which is state of another module`))
  })
}

type Facts = { text: string; stateful: ReadonlySet<string>; changed: ReadonlySet<string> }

function problemOf({ name, initial, isReassignable }: Declaration, facts: Facts): string | undefined {
  if (isReassignable) return 'can be assigned again'
  if (facts.changed.has(name)) return 'is changed'
  if (initial === undefined) return undefined
  for (const node of ownNodes(initial)) {
    const callee = textOf(node['callee'], facts.text)
    if (node.type === 'NewExpression' && !UNCHANGING.test(callee)) return `holds a ${callee}`
    if (node.type !== 'CallExpression') continue
    if (/^create[A-Z]\w*$/.test(callee) || facts.stateful.has(callee)) return `is made by ${callee}, which holds state`
  }
  return undefined
}

/** The names that a module declares at its top level. */
function declarationsOf(program: Node): Declaration[] {
  return childrenOf(program)
    .map((node) => (isNode(node['declaration']) ? node['declaration'] : node))
    .flatMap((node) => {
      if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
        return [{ name: nameOf(node['id']), initial: undefined, isReassignable: false }]
      if (node.type !== 'VariableDeclaration') return []
      const isReassignable = node['kind'] !== 'const'
      return childrenOf(node).flatMap(({ id, init }) =>
        identifiersIn(id as Node).map((name) => ({ name, initial: isNode(init) ? init : undefined, isReassignable })),
      )
    })
}

function importedNames(program: Node): string[] {
  return childrenOf(program)
    .filter(({ type }) => type === 'ImportDeclaration')
    .flatMap((node) => childrenOf(node).map(({ local }) => nameOf(local)))
    .filter((name) => name !== '')
}

/** The functions that return functions with a variable that they change: their results hold state. */
function statefulFactories(program: Node): string[] {
  return declarationsOf(program).flatMap(({ name, initial }) => {
    const body = functionNamed(program, name) ?? initial
    return body !== undefined && isFunction(body) && capturesChangedVariable(body) ? [name] : []
  })
}

function functionNamed(program: Node, name: string): Node | undefined {
  return childrenOf(program)
    .map((node) => (isNode(node['declaration']) ? node['declaration'] : node))
    .find((node) => node.type === 'FunctionDeclaration' && nameOf(node['id']) === name)
}

/** Whether a function inside `outer` assigns a variable of `outer` or calls a changing method of it, and `outer` returns a function. */
function capturesChangedVariable(outer: Node): boolean {
  const body = outer['body'] as Node | undefined
  if (body?.type !== 'BlockStatement') return false
  const own = new Set(
    [...ownNodes(body)].flatMap((node) =>
      node.type === 'VariableDeclarator' && isNode(node['id']) ? identifiersIn(node['id']) : [],
    ),
  )
  const returned = [...ownNodes(body)].filter(({ type }) => type === 'ReturnStatement')
  const returnsFunction = returned.some(({ argument }) => isNode(argument) && [...allNodes(argument)].some(isFunction))
  if (!returnsFunction) return false
  return [...ownNodes(body)].filter(isFunction).some((inner) => {
    const innerNames = new Set([...allNodes(inner)].flatMap((node) => changedRoots(node)))
    return [...own].some((name) => innerNames.has(name))
  })
}

/** The identifiers that any code of a module changes. */
function changedNames(program: Node, text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of allNodes(program)) {
    for (const name of changedRoots(node).filter(() => !isPlainAssignment(node))) names.add(name)
    const [first] = (node['arguments'] as Node[] | undefined) ?? []
    if (node.type === 'CallExpression' && first !== undefined && CHANGING_FUNCTIONS.test(textOf(node['callee'], text)))
      names.add(rootOf(first))
  }
  names.delete('')
  return names
}

/** `name = …`, which for a constant means another variable of that name. */
function isPlainAssignment({ type, left, argument }: Node): boolean {
  const target = type === 'UpdateExpression' ? argument : left
  return isNode(target) && target.type === 'Identifier'
}

/** The variables that one node changes: by assignment, by `++`, by `delete` or by a method. */
function changedRoots(node: Node): string[] {
  if (node.type === 'AssignmentExpression') return [rootOf(node['left'] as Node)]
  if (node.type === 'UpdateExpression') return [rootOf(node['argument'] as Node)]
  if (node.type === 'UnaryExpression' && node['operator'] === 'delete') return [rootOf(node['argument'] as Node)]
  const callee = node['callee']
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return []
  return CHANGING_METHODS.has(nameOf(callee['property'])) ? [rootOf(callee['object'] as Node)] : []
}

/** `a` of `a`, `a.b` and `a[b].c`; empty for other expressions. */
function rootOf(node: Node): string {
  if (node.type === 'MemberExpression') return rootOf(node['object'] as Node)
  return node.type === 'Identifier' ? nameOf(node) : ''
}

function identifiersIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  if (pattern.type === 'Property') return identifiersIn(pattern['value'] as Node)
  return pattern.type.endsWith('Pattern') || pattern.type === 'RestElement'
    ? childrenOf(pattern).flatMap(identifiersIn)
    : []
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** A node and everything below it. */
function* allNodes(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* allNodes(child)
}

/** Like `allNodes`, without the contents of functions and classes, which run later. */
function* ownNodes(node: Node): Generator<Node> {
  yield node
  if (isFunction(node) || node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return
  for (const child of childrenOf(node)) yield* ownNodes(child)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : ''
}

function textOf(node: unknown, text: string): string {
  return isNode(node) ? text.slice(node.start, node.end) : ''
}
