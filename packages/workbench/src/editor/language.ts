/** SPARQL 1.2 for the editor: colours, folding, comments, and what a text is. */
import { foldInside, foldNodeProp, HighlightStyle, LanguageSupport, LRLanguage } from '@codemirror/language';
import { styleTags, tags } from '@lezer/highlight';
import { parser } from './sparql.grammar';

export const sparqlLanguage = LRLanguage.define({
  name: 'sparql',
  parser: parser.configure({
    props: [
      styleTags({
        Keyword: tags.keyword,
        Function: tags.function(tags.variableName),
        Var: tags.variableName,
        IriRef: tags.url,
        PName: tags.namespace,
        BlankNode: tags.labelName,
        String: tags.string,
        LangTag: tags.meta,
        'Number SignedNumber': tags.number,
        BooleanLiteral: tags.bool,
        Comment: tags.lineComment,
        'CompareOp PathMod Star': tags.operator,
        '{ } ( ) [ ]': tags.bracket,
      }),
      foldNodeProp.add({ 'GroupGraphPattern ConstructTemplate QuadData': foldInside }),
    ],
  }),
  languageData: {
    commentTokens: { line: '#' },
    closeBrackets: { brackets: ['(', '[', '{', '"', "'"] },
    indentOnInput: /^\s*[})\]]$/,
  },
});

export const sparql = (): LanguageSupport => new LanguageSupport(sparqlLanguage);

/** Colours are custom properties of the page, which reach into its shadow roots. */
export const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--syntax-keyword)', fontWeight: '600' },
  { tag: tags.function(tags.variableName), color: 'var(--syntax-function)' },
  { tag: tags.variableName, color: 'var(--syntax-variable)' },
  { tag: tags.url, color: 'var(--syntax-iri)' },
  { tag: tags.namespace, color: 'var(--syntax-name)' },
  { tag: tags.labelName, color: 'var(--syntax-name)' },
  { tag: tags.string, color: 'var(--syntax-string)' },
  { tag: tags.meta, color: 'var(--syntax-comment)' },
  { tag: [tags.number, tags.bool], color: 'var(--syntax-number)' },
  { tag: tags.lineComment, color: 'var(--syntax-comment)', fontStyle: 'italic' },
]);
