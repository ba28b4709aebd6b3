/** Programs to learn from. */
module dev.gannet.examples {
  requires transitive com.google.protobuf;
  requires transitive dev.gannet;
  requires dev.gannet.services;
  requires dev.gannet.status;
  requires static org.jspecify;

  exports dev.gannet.examples.answering;
  exports dev.gannet.examples.auth;
  exports dev.gannet.examples.balancing;
  exports dev.gannet.examples.deadline;
  exports dev.gannet.examples.details;
  exports dev.gannet.examples.extending;
  exports dev.gannet.examples.greeter;
  exports dev.gannet.examples.observing;
  exports dev.gannet.examples.operations;
  exports dev.gannet.examples.retry;
  exports dev.gannet.examples.routeguide;
  exports dev.gannet.examples.shutdown;
  exports dev.gannet.examples.tls;
}
