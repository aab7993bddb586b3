import {genericView} from './generic';
import {ofcView} from './ofc';
import {pokerView} from './poker';
import {sevenHandView} from './seven_hand';
import {registerView} from './view';

for (const view of [genericView, pokerView, ofcView, sevenHandView]) registerView(view);

export {viewOf} from './view';
