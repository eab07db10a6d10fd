// Reads scripts with a grammar of PowerShell. In: [text, ...]. Out: for each {errors, literals, functions, commands}.
import { readFileSync } from 'node:fs';
import { Parser, Language } from 'web-tree-sitter';

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load('node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm'));

const place = (node) => `${node.startPosition.row + 1}:${node.startPosition.column + 1}`;

function* all(node) {
  yield node;
  for (const child of node.children) yield* all(child);
}

// What follows the name: parameters with their dash, and values, in their order; a value may be joined to its parameter by a colon.
function command(node) {
  const name = node.childForFieldName('command_name');
  const elements = [];
  let separator = '';
  for (const element of node.childForFieldName('command_elements')?.namedChildren ?? []) {
    if (element.type === 'command_argument_sep') {
      separator = element.text.trim();
    } else if (!element.type.includes('redirect')) {
      const parameter = element.type === 'command_parameter';
      elements.push({ text: element.text.trim(), parameter, joined: separator === ':' });
    }
  }
  const chain = node.parent;
  const piped = chain?.type === 'pipeline_chain' && chain.namedChildren[0].startIndex < node.startIndex;
  return { name: name ? name.text : '', at: place(node), elements, piped };
}

function read(text) {
  const tree = parser.parse(text);
  const result = { errors: [], literals: [], functions: [], commands: [] };
  for (const node of all(tree.rootNode)) {
    if (node.isError || node.isMissing) {
      result.errors.push(`${place(node)}: ${node.isMissing ? 'missing ' + node.type : node.text.slice(0, 60)}`);
    }
    if (node.type === 'verbatim_string_characters') result.literals.push(node.text);
    if (node.type === 'function_name') result.functions.push(node.text);
    if (node.type === 'command') result.commands.push(command(node));
  }
  tree.delete();
  return result;
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(read)));
