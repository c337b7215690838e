// How a measure is made, in words: parts added and taken away, divided, times a hundred. Derived from the declaration, so that it cannot say anything else.

export interface Formula<P extends string> {
  readonly sum: { readonly plus: readonly P[]; readonly minus?: readonly P[] }
  readonly over?: { readonly plus: readonly P[]; readonly minus?: readonly P[] }
  readonly times?: number
}

export function describeFormula<P extends string>(formula: Formula<P>, words: Readonly<Record<P, string>>): string {
  const top = describeSum(formula.sum, words)
  if (formula.over === undefined) return top.text
  const below = describeSum(formula.over, words)
  const ratio = `${wrap(top)} ÷ ${wrap(below)}`
  return formula.times === undefined ? ratio : `${ratio} × ${formula.times}`
}

function describeSum<P extends string>(
  { plus, minus = [] }: Formula<P>['sum'],
  words: Readonly<Record<P, string>>,
): { text: string; terms: number } {
  const taken = minus.map((part) => words[part])
  const subtrahend = taken.length > 1 ? `(${taken.join(' + ')})` : taken.join('')
  const added = plus.map((part) => words[part]).join(' + ')
  return {
    text: taken.length === 0 ? added : `${added} − ${subtrahend}`,
    terms: plus.length + minus.length,
  }
}

const wrap = ({ text, terms }: { text: string; terms: number }) => (terms > 1 ? `(${text})` : text)
