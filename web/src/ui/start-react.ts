// Evaluates React in its own file.
import 'react-dom/client'
