// What every component test gets: patience. Testing Library gives up after a second, which a loaded machine may need to
// import a component.
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 20_000 });
