/** Requests checked by the rules of their schema, by protovalidate. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // neither protovalidate nor protobuf-java has a descriptor
module dev.gannet.validation {
  requires com.google.protobuf;
  requires transitive dev.gannet.api;
  requires dev.gannet.status;
  requires transitive protovalidate;
  requires static org.jspecify;

  exports dev.gannet.validation;
}
