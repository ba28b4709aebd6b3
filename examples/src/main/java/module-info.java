/** Programs to learn from. */
module dev.gannet.examples {
  requires dev.gannet;
  requires static org.jspecify;
}
