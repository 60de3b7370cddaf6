import { element } from './dom.mjs';
import { placeName, sourceLink } from './source.mjs';

/** A list of problems, each with its place, its text and its lines. */
export function problemList(problems, { excerpts = true } = {}) {
  return element('ol', { class: 'problems' }, problems.map((problem) => item(problem, excerpts)));
}

function item(problem, excerpts) {
  return element('li', { class: `problem ${problem.severity}` },
    element('p', { class: 'place' },
      element('span', { class: 'severity' }, problem.severity),
      problem.path ? location(problem) : null,
      problem.code ? element('span', { class: 'code', title: problem.title }, problem.code) : null),
    element('p', { class: 'text' }, problem.text),
    excerpts && problem.excerpt ? excerpt(problem) : null);
}

function location(problem) {
  if (!problem.own) return element('span', { class: 'mono' }, placeName(problem));
  return sourceLink(problem, { class: 'link mono' }, placeName(problem));
}

/** The lines around a problem, with a caret below the character that it is about. */
function excerpt(problem) {
  return element('div', { class: 'excerpt', role: 'group', 'aria-label': `${placeName(problem)} in its source` },
    problem.excerpt.map((line) => element('div', { class: line.at ? 'line pointed' : 'line' },
      element('span', { class: 'number', 'aria-hidden': 'true' }, String(line.number)),
      element('code', {}, line.before, line.at ? element('mark', { class: 'at' }, line.at) : null, line.after ?? ''))));
}
