export {Card, CardButton, Cards} from './card';
export {byRank, bySuit, cardNumber, cardSign, cardSigns, faceOf, isTransparent, spokenCard} from './deck';
