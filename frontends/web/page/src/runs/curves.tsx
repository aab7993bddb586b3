import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {settings} from '../core/settings';
import {useStore} from '../core/store';
import {joined, type Series} from './metrics';

/** Colours that differ in lightness, too; dashes tell the runs apart where colours do not. */
export const curveColours = ['#2f6fb3', '#c4622d', '#2f8f5b', '#8a56b0', '#b23a5c', '#8a7a1f'];
export const curveDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 2]];

const colour = (i: number): string => curveColours[i % curveColours.length]!;

function options(series: readonly Series[], width: number, height: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue('--muted').trim();
  const grid = {stroke: style.getPropertyValue('--line').trim(), width: 1};
  const axis = {stroke: ink, grid, ticks: grid, font: '12px system-ui, sans-serif'};
  return {
    width,
    height,
    legend: {show: false},
    cursor: {y: false},
    scales: {x: {time: false}},
    axes: [
      {...axis, values: (_, ticks) => ticks.map(tick => (Math.abs(tick) >= 1000 ? compact.format(tick) : `${tick}`))},
      {...axis, size: 64},
    ],
    series: [
      {},
      ...series.flatMap((one, i) => [
        {label: one.run, stroke: colour(i), width: 2, dash: curveDashes[i % curveDashes.length], spanGaps: true, points: {show: one.x.length < 60}},
        {stroke: 'transparent', spanGaps: true, points: {show: false}},
        {stroke: 'transparent', spanGaps: true, points: {show: false}},
      ]),
    ],
    bands: series.map((_, i) => ({series: [3 * i + 3, 3 * i + 2], fill: `${colour(i)}33`}) as uPlot.Band),
  };
}

const compact = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 1});

/** Curves over each other with their 95% intervals. */
export function Curves({series, label}: {series: readonly Series[]; label: string}) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const {theme} = useStore(settings);
  const shape = `${theme} ${series.map(one => `${one.run}${one.x.length < 60}`).join()}`;
  useEffect(() => {
    const element = host.current!;
    const height = () => Math.max(220, Math.min(380, element.clientWidth * 0.5));
    plot.current = new uPlot(options(series, element.clientWidth, height()), joined(series) as uPlot.AlignedData, element);
    const resized = new ResizeObserver(() => plot.current?.setSize({width: element.clientWidth, height: height()}));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(joined(series) as uPlot.AlignedData), [series]);
  return <div class="curves" ref={host} role="img" aria-label={label} data-points={series.reduce((n, one) => n + one.x.length, 0)} />;
}
