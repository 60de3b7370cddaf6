/** Product information that exercises the tool: wide names, fractions, unknown members. */

/** A document in the format that a build writes: indented by two spaces, with a final newline and numbers as written. */
export const BODY = `{
  "name": "Parley",
  "url": "https://parley.example",
  "description": "Parley is a sales-coaching product: teams rehearse the hard conversations before they have them, and see afterwards what worked.",
  "audience": ["Sales managers who coach more people than they can listen to", "New representatives"],
  "capabilities": ["Roleplays with a spoken counterpart", "Feedback by the team's own scorecard", "通話の分析と、次の一歩の提案"],
  "pricing": {
    "currency": "EUR",
    "billingPeriod": "month",
    "creditDefinition": "One credit is one roleplay of up to ten minutes.",
    "unlimitedReps": true,
    "unlimitedTeams": false,
    "plans": [
      { "name": "Starter", "monthlyPrice": 49, "includedCredits": 100 },
      { "name": "チーム 👩‍💻", "monthlyPrice": 199.50, "includedCredits": 1200, "badge": "popular" },
      { "name": "Enterprise", "monthlyPrice": 1499, "includedCredits": 25000 }
    ],
    "url": "https://parley.example/pricing"
  },
  "gettingStarted": {
    "offer": "Twenty credits, free of charge, for every new team.",
    "steps": ["Open the sign-up page", "Name your team", "Invite a colleague"],
    "demo": "https://parley.example/demo"
  },
  "contact": "hello@parley.example",
  "links": { "docs": "https://parley.example/docs", "signUp": "https://app.parley.example/join" },
  "x-unknown": { "kept": [1, 2.50, null] }
}
`;

/**
 * Returns the document with some members replaced. The value undefined removes a member.
 *
 * @param {{[member: string]: unknown}} members
 */
export function bodyWith(members) {
  return JSON.stringify(Object.assign(JSON.parse(BODY), members));
}
