/** Protocol Buffers messages as JSON. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // protobuf-java and protobuf-java-util have no descriptors
module dev.gannet.json {
  requires com.google.protobuf.util;
  requires transitive com.google.protobuf;
  requires transitive dev.gannet.api;
  requires static org.jspecify;

  exports dev.gannet.json;
}
