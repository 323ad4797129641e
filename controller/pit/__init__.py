"""The pit: what outgrows one table. A program of its own beside the stations, which hears them over MQTT alone."""
