// Handler of failures that are expected and change nothing.

export const ignore = (): undefined => undefined
