// The Mantine theme: one accent, neutral greys, compact sizes. It binds Mantine's variables to the tokens of theme.css.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import i18next from 'i18next'

const river: MantineColorsTuple = [
  '#eef4fd',
  '#dce8fa',
  '#b5cff4',
  '#8bb4ee',
  '#689ee9',
  '#4a86df',
  '#2f70d0',
  '#1d5fbf',
  '#174e9e',
  '#123f80',
]
const grey: MantineColorsTuple = [
  '#f6f7f9',
  '#f1f3f6',
  '#e3e7ec',
  '#cfd6de',
  '#b3bcc7',
  '#8a95a3',
  '#6b7684',
  '#56616f',
  '#323c49',
  '#1f2937',
]
const dark: MantineColorsTuple = [
  '#d9dee5',
  '#b9c1cc',
  '#a3adba',
  '#6c7786',
  '#3b4450',
  '#2a313a',
  '#1d2229',
  '#171b21',
  '#12161b',
  '#101317',
]

/** The name of the cross of a modal or drawer, in the current language. */
const closeProps = () => ({ closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) } })

export const theme = createTheme({
  respectReducedMotion: true,
  primaryColor: 'river',
  primaryShade: { light: 7, dark: 6 },
  colors: { river, gray: grey, dark },
  black: '#1f2937',
  fontFamily:
    "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', 'Liberation Mono', Menlo, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.3' },
  defaultRadius: 6,
  cursorType: 'pointer',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.3' },
      h2: { fontSize: '16px', lineHeight: '1.35' },
      h3: { fontSize: '14px', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'xs', fz: 13 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2, maxRows: 10 } },
    // A select that opened when Tab reaches it would cover what is below.
    Select: { defaultProps: { size: 'sm', openOnFocus: false } },
    MultiSelect: { defaultProps: { size: 'sm', openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
    Autocomplete: { defaultProps: { openOnFocus: false } },
    Switch: { defaultProps: { size: 'sm' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, multiline: true, maw: 420, fz: 12 } },
    Modal: {
      defaultProps: () => ({ centered: true, radius: 10, overlayProps: { backgroundOpacity: 0.4 }, ...closeProps() }),
    },
    Drawer: { defaultProps: closeProps },
    // The <header> of a dialog counts as the banner of the page otherwise.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    // The placeholder that takes the first focus is no item, which a menu must not contain.
    Menu: {
      defaultProps: { shadow: 'md', radius: 8, withInitialFocusPlaceholder: false },
      styles: { dropdown: { maxWidth: 'calc(100vw - 16px)' } },
    },
    // Without an exit transition, a popover that is opened again at once starts with the present values, not with those of the closed one.
    Popover: {
      defaultProps: { shadow: 'md', trapFocus: true, returnFocus: true, transitionProps: { exitDuration: 0 } },
    },
    Tabs: { defaultProps: { keepMounted: false } },
  },
})

const bound = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-quiet)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-border': 'var(--hairline-strong)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-error': 'var(--negative)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-gray-light-color': 'var(--text-quiet)',
}

export const resolveVariables: CSSVariablesResolver = () => ({ variables: {}, light: bound, dark: bound })
