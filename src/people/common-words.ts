/** The shortest password, in characters. */
export const LEAST_PASSWORD = 12;

/**
 * What the most common passwords of twelve and more characters are made of, without digits and signs: words, names,
 * runs of the keyboard.
 */
export const COMMON_WORDS: readonly string[] = `
password passwort passwords passwd passphrase motdepasse contrasena senha parola wachtwoord losenord
welcome willkommen bienvenue bienvenido letmein login logmein signin access enter open sesame opensesame
admin administrator administrador root superuser user username guest operator manager support service server
master default changeme change changeit temporary temp test testing tester demo example sample secret secure
security private trustno trustnoone nopassword mypassword thepassword newpassword oldpassword
outdial phone telephone calls call voice agent company office business internet computer laptop windows microsoft
google facebook instagram twitter linkedin youtube apple samsung android iphone amazon netflix spotify
qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdfghjkl asdfgh asdf zxcvbnm zxcvbn yxcvbnm zxcv qazwsx
qazwsxedc wsxedc edcrfv rfvtgb qweasd qweasdzxc asdzxc qwer uiop hjkl
iloveyou iloveu ilove youandme loveyou loveme love lover lovely forever forevermore always
sunshine princess princesa football baseball basketball soccer hockey tennis superman batman spiderman ironman
starwars pokemon minecraft fortnite gameofthrones harrypotter gandalf frodo matrix dragon monkey tiger shadow
phoenix eagle falcon panther unicorn butterfly flower summer winter spring autumn january february march april may
june july august september october november december monday tuesday wednesday thursday friday saturday sunday
michael jennifer jessica daniel thomas robert william george charlie andrew matthew joshua ashley nicole amanda
michelle samantha alexander victoria elizabeth christopher jordan taylor hannah maggie buster ginger pepper cookie
chocolate cheese banana orange coffee pizza
london paris berlin madrid newyork america england germany france canada liverpool arsenal chelsea barcelona
realmadrid manchester united
correct horse battery staple tobeornottobe thequickbrownfox thequick brown jumps over lazy maytheforce
fuckyou fuckoff fuck asshole bitch killer hunter ranger trustme
jesus jesuschrist jesusismylord god godisgood godislove blessed heaven angel faith
one two three four five six seven eight nine ten hello hallo world helloworld goodbye thank thanks please mother
father family brother sister baby daddy mommy black white red green blue yellow purple silver golden diamond
this that with your yours mine the and for not only very super mega strong best great good nice happy lucky
`
  .trim()
  .split(/\s+/);

/** Runs of three and more neighbours in them, in either direction, add nothing to a password. */
export const RUNS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '!@#$%^&*()',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
];
