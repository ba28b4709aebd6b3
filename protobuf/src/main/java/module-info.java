/** Marshallers and error details for protobuf messages. */
module dev.gannet.protobuf {
  requires transitive dev.gannet.api;
  requires transitive com.google.protobuf;
  requires static org.jspecify;
}
