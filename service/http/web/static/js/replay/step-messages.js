/** The messages of steps, in the language of the page. */

const { lang } = document.documentElement;

export const { default: stepMessages } = await import(`../messages/steps-${lang}.js`);
