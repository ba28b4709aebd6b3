/** Messages of protobuf-javalite as Gannet's messages. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // protobuf-javalite has no descriptor
module dev.gannet.protobuf.lite {
  requires transitive com.google.protobuf;
  requires transitive dev.gannet.api;
  requires static org.jspecify;

  exports dev.gannet.protobuf.lite;
}
