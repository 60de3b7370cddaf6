import { element } from './dom.mjs';
import { placeName, sourceLink } from './source.mjs';

/** Returns a list of problems, each with its location, message, and source lines. */
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

/** Returns the source lines around a problem, with a caret under the start of the problem. */
function excerpt(problem) {
  return element('div', { class: 'excerpt', role: 'group', 'aria-label': `${placeName(problem)} in its source` },
    problem.excerpt.map((line) => element('div', { class: line.at ? 'line pointed' : 'line' },
      element('span', { class: 'number', 'aria-hidden': 'true' }, String(line.number)),
      element('code', {}, line.before, line.at ? element('mark', { class: 'at' }, line.at) : null, line.after ?? ''))));
}
