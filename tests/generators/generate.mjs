// Reads the document `asyncapi.json` of this folder as its users do: AsyncAPI's parser, ajv as it comes, and Modelina.
// Prints a line for each step; ends with 1 and what is wrong where something is.
import { mkdirSync, readFileSync } from "node:fs";
import { PYTHON_PYDANTIC_PRESET, PythonFileGenerator, TypeScriptFileGenerator } from "@asyncapi/modelina";
import { Parser } from "@asyncapi/parser";
import { Ajv } from "ajv";
import formats from "ajv-formats";

const ERROR = 0; // a finding's severity
const text = readFileSync("asyncapi.json", "utf8");
const document = JSON.parse(text);
const wrong = (...lines) => {
  console.error(...lines);
  process.exit(1);
};

async function findings(text) {
  const { diagnostics } = await new Parser().parse(text);
  return diagnostics.filter(({ severity }) => severity === ERROR).map(({ path, message }) => `${path.join("/")}: ${message}`);
}

async function parse() {
  const found = await findings(text);
  if (found.length) wrong("@asyncapi/parser:", ...found);
  const broken = structuredClone(document);
  Object.values(broken.operations)[0].messages = [{ $ref: "#/channels/none/messages/none" }];
  if (!(await findings(JSON.stringify(broken))).length) wrong("@asyncapi/parser finds nothing in a broken document");
  console.log(`@asyncapi/parser: no error in ${Object.keys(document.operations).length} operations`);
}

function validate() {
  const warnings = [];
  const logger = { log() {}, warn: (line) => warnings.push(line), error: (line) => warnings.push(line) };
  const ajv = formats(new Ajv({ logger }));
  const local = (schema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
  const { schemas, messages } = document.components;
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(local(schema), name);
  for (const name of Object.keys(schemas)) ajv.getSchema(name);
  for (const [name, { payload, examples }] of Object.entries(messages)) {
    const check = ajv.compile(local(payload));
    for (const example of examples) if (!check(example.payload)) wrong(`ajv: the example of ${name}:`, check.errors);
  }
  if (warnings.length) wrong("ajv:", ...warnings);
  const count = Object.keys(schemas).length + Object.keys(messages).length;
  console.log(`ajv: ${count} schemas compiled in strict mode, no warning, ${Object.keys(messages).length} examples valid`);
}

async function generate(language, generator, options) {
  const folder = `models/${language}`;
  mkdirSync(folder, { recursive: true });
  const models = await generator.generateToFiles(document, folder, options);
  const anonymous = models.map(({ modelName }) => modelName).filter((name) => /anonymous/i.test(name));
  if (anonymous.length) wrong(`${language}: ${anonymous.length} models without a name:`, ...anonymous);
  console.log(`Modelina: ${models.length} models of ${language}, none without a name`);
}

await parse();
validate();
// Keys that a model does not know are ignored: without this Modelina keeps them, and its unions in Python lose keys.
const processorOptions = { interpreter: { ignoreAdditionalProperties: true } };
const python = new PythonFileGenerator({ processorOptions, presets: [PYTHON_PYDANTIC_PRESET] });
await generate("asyncapimodels", python, {}); // the package that the models import each other from
const typed = { modelType: "interface", enumType: "union", mapType: "record", rawPropertyNames: true };
await generate("typescript", new TypeScriptFileGenerator({ processorOptions, ...typed }), { exportType: "named" });
