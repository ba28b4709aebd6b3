/** Protocol Buffers as Gannet's messages. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // protobuf-java has no descriptor
module dev.gannet.protobuf {
  requires transitive com.google.protobuf;
  requires transitive dev.gannet.api;
  requires static org.jspecify;

  exports dev.gannet.protobuf;
}
