import {render} from 'preact';
import {App} from './app';
import {takeToken} from './core/api';
import {startRouting} from './core/route';
import {apply, settings} from './core/settings';
import './styles/index.css';

takeToken();
apply(settings.get());
startRouting();
render(<App />, document.getElementById('page')!);
