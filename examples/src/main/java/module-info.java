/** Programs to learn from. */
module dev.gannet.examples {
  requires transitive com.google.protobuf;
  requires transitive dev.gannet;
  requires static org.jspecify;

  exports dev.gannet.examples.greeter;
}
